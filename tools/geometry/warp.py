"""Giving crowded places more room: a smooth stretching of the map by its own densities (a flow cartogram).

Follows the idea of fast flow-based cartograms (Gastner, Seguy and More, 2018): the flow that evens out a density
carries the map's points along. Nothing tears or folds; the frame stays. Build time only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Warp:
    """Moved positions of the corners of a regular grid; positions between are interpolated."""

    step: float
    xs: np.ndarray
    ys: np.ndarray

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Move an array of points (n, 2)."""
        rows, columns = self.xs.shape
        u = np.clip(points[:, 0] / self.step, 0, columns - 1.000001)
        v = np.clip(points[:, 1] / self.step, 0, rows - 1.000001)
        c, r = u.astype(int), v.astype(int)
        fu, fv = u - c, v - r
        moved = np.empty((len(points), 2))
        for axis, field in enumerate((self.xs, self.ys)):
            low = field[r, c] * (1 - fu) + field[r, c + 1] * fu
            high = field[r + 1, c] * (1 - fu) + field[r + 1, c + 1] * fu
            moved[:, axis] = low * (1 - fv) + high * fv
        return moved


def blur(field: np.ndarray, sigma: float) -> np.ndarray:
    """Gaussian blur with mirrored edges; sigma in cells."""
    for axis in (0, 1):
        size = field.shape[axis]
        mirrored = np.concatenate([field, np.flip(field, axis)], axis)
        frequencies = np.fft.fftfreq(2 * size)
        response = np.exp(-2 * (np.pi * frequencies * sigma) ** 2)
        shape = [1, 1]
        shape[axis] = -1
        spectrum = np.fft.fft(mirrored, axis=axis) * response.reshape(shape)
        field = np.take(np.fft.ifft(spectrum, axis=axis).real, range(size), axis)
    return field


def flow(density: np.ndarray, step: float, rounds: int = 60) -> Warp:
    """The warp that makes a density (cells of size `step`) even."""
    rows, columns = density.shape
    even = float(density.mean())
    flux_x, flux_y = _flux(even - density)
    ys, xs = np.meshgrid(np.arange(rows + 1.0), np.arange(columns + 1.0), indexing="ij")
    for number in range(rounds):
        u1, v1 = _velocity(xs, ys, density, even, flux_x, flux_y, number / rounds)
        mx, my = xs + u1 / (2 * rounds), ys + v1 / (2 * rounds)
        u2, v2 = _velocity(mx, my, density, even, flux_x, flux_y, (number + 0.5) / rounds)
        xs = np.clip(xs + u2 / rounds, 0, columns)
        ys = np.clip(ys + v2 / rounds, 0, rows)
    return Warp(step, xs * step, ys * step)


def _flux(source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gradient field whose divergence is minus the source, without flow over the frame."""
    rows, columns = source.shape
    mirrored = np.concatenate([source, source[::-1]], 0)
    mirrored = np.concatenate([mirrored, mirrored[:, ::-1]], 1)
    ky = 2 * np.pi * np.fft.fftfreq(2 * rows)[:, None]
    kx = 2 * np.pi * np.fft.fftfreq(2 * columns)[None, :]
    square = kx**2 + ky**2
    square[0, 0] = 1
    potential = np.fft.fft2(mirrored) / square
    potential[0, 0] = 0
    fx = np.fft.ifft2(1j * kx * potential).real[:rows, :columns]
    fy = np.fft.ifft2(1j * ky * potential).real[:rows, :columns]
    return fx, fy


def _velocity(
    xs: np.ndarray, ys: np.ndarray, density: np.ndarray, even: float, fx: np.ndarray, fy: np.ndarray, time: float
) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = density.shape
    here = (1 - time) * _sample(density, xs, ys) + time * even
    inside_x = np.clip(np.minimum(xs, columns - xs) * 2, 0, 1)
    inside_y = np.clip(np.minimum(ys, rows - ys) * 2, 0, 1)
    return _sample(fx, xs, ys) / here * inside_x, _sample(fy, xs, ys) / here * inside_y


def _sample(field: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    rows, columns = field.shape
    u, v = np.clip(xs - 0.5, 0, columns - 1.000001), np.clip(ys - 0.5, 0, rows - 1.000001)
    c, r = u.astype(int), v.astype(int)
    fu, fv = u - c, v - r
    low = field[r, c] * (1 - fu) + field[r, c + 1] * fu
    high = field[r + 1, c] * (1 - fu) + field[r + 1, c + 1] * fu
    result: np.ndarray = low * (1 - fv) + high * fv
    return result
