const AGAIN_MS = 1500;
/** Loaded again so lately: what is missing then is missing for good. */
const LATELY_MS = 10_000;
const KEY = 'troupe-reloaded';

let isComing = false;

/**
 * A part of the page cannot be loaded: Troupe was updated under it, or nobody serves it now. Only a new page fits the new server,
 * and only once there is one: else the browser's own error would stand in its place, and never go away.
 */
export async function loadAnew(): Promise<void> {
  const isLately = Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < LATELY_MS;
  if (isComing || isLately) return;
  isComing = true;
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
