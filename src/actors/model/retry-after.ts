/** How long the endpoint asked us to wait, in milliseconds. Undefined when it did not say, or said something senseless. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const precise = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (precise >= 0) return Math.ceil(precise);
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number.parseFloat(text) * 1000);
  const date = Date.parse(text);
  if (Number.isNaN(date)) return undefined;
  // The endpoint's own clock where it tells it: ours may be off by more than the wait.
  const there = Date.parse(headers['date'] ?? '');
  return Math.max(0, date - (Number.isNaN(there) ? now : there));
}
