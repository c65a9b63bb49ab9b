/** The four ways an agent tells the engine how its step stands (Q2). It is a claim: the engine checks it before it counts (L4). */
export const SIGNALS = ['complete', 'partially-complete', 'needs-user-input', 'needs-role-followup'] as const;

export type SignalName = (typeof SIGNALS)[number];
