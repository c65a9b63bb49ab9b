import type { Turnstile } from '../../server/turnstile.ts';
import { endedBadly, startAgain, textOf, type ApartOptions } from './act-apart.ts';

/** What a command writes that is no text, piece by piece, from a process of its own that ends with whoever reads it. */
export async function* pourApart(
  words: readonly string[],
  options: ApartOptions,
  gate: Turnstile,
): AsyncGenerator<Uint8Array> {
  const leave = await gate.enter();
  const child = startAgain(words, options);
  try {
    const told = textOf(child.stderr);
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject);
    child.on('close', resolve);
    for await (const piece of child.stdout) yield piece as Uint8Array;
    const code = await promise;
    if (code !== 0) throw endedBadly(words[0] ?? '', code, await told);
  } finally {
    child.kill();
    leave();
  }
}
