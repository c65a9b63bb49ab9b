import { existsSync } from 'node:fs';

const installed = (names: readonly string[]): string | null =>
  names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path)) ?? null;

/** A browser that can do all a person's can, notifications too; null where none is installed. */
export const FULL_CHROMIUM = installed(['chromium', 'chromium-browser', 'google-chrome']);

/** For everything else the one without windows, which needs two thirds of the processor time. */
export const CHROMIUM = installed(['chromium-headless-shell']) ?? FULL_CHROMIUM;
