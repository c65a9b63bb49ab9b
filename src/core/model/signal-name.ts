/** The four ways an agent reports the status of its step (Q2). The engine checks the claim before it counts (L4). */
export const SIGNALS = ['complete', 'partially-complete', 'needs-user-input', 'needs-role-followup'] as const;

export type SignalName = (typeof SIGNALS)[number];
