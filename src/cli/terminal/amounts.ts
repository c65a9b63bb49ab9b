import { totalTokens, type CostUsd, type Usage } from '../../core/usage.ts';

export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

/** An unknown price is shown as unknown, never as nothing. */
export function money(cost: CostUsd): string {
  if (cost === null) return 'cost unknown';
  return `$${cost < 0.01 && cost > 0 ? cost.toFixed(5) : cost.toFixed(2)}`;
}

export function tokens(usage: Usage): string {
  const total = totalTokens(usage);
  return total < 10_000 ? `${total} tokens` : `${Math.round(total / 1000)}k tokens`;
}
