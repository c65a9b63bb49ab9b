const AGAIN_MS = 1500;
/** Loaded again so lately: what is missing then is missing for good. */
const LATELY_MS = 10_000;
const KEY = 'troupe-reloaded';

let isComing = false;

/**
 * Reloads the page when a part of it cannot be loaded, since Troupe was updated or its server is gone. It waits until a server
 * answers: else the browser's own error page would appear and stay.
 */
export async function reloadPage(): Promise<void> {
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
