/** How long the endpoint asked us to wait, in milliseconds. Undefined when it did not say, or said something senseless. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const precise = Number.parseFloat(headers['retry-after-ms'] ?? '');
  const wishes = [precise, /^\d+(\.\d+)?$/.test(text) ? Number.parseFloat(text) * 1000 : untilDate(text, headers, now)];
  // Digits without end are a number too, but no time: it would be journaled as nothing.
  const wait = wishes.find((wish) => Number.isFinite(wish) && wish >= 0);
  return wait === undefined ? undefined : Math.ceil(wait);
}

function untilDate(text: string, headers: Readonly<Record<string, string>>, now: number): number {
  // The endpoint's own clock where it tells it: ours may be off by more than the wait.
  const there = Date.parse(headers['date'] ?? '');
  return Math.max(0, Date.parse(text) - (Number.isNaN(there) ? now : there));
}
