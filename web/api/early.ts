/**
 * Answers that were asked for before the page was there (`public/early.js`): the server reads the run while the browser still reads
 * the page. Each is good for once, and for nobody who is let in later.
 */
export async function takeEarly(url: string): Promise<Response | null> {
  const asked = known();
  const answer = asked?.get(url);
  asked?.delete(url);
  if (answer === undefined) return null;
  try {
    const got = await answer;
    return got.ok ? got : null;
  } catch {
    return null;
  }
}

export const forgetEarly = (): void => known()?.clear();

const known = (): Map<string, Promise<Response>> | undefined =>
  (globalThis as { troupeEarly?: Map<string, Promise<Response>> }).troupeEarly;
