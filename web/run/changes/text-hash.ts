/** A number for a text (FNV-1a): of two that differ it is the same once in four thousand million times. */
export function textHash(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash >>> 0;
}
