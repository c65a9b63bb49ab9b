/** The span of somebody else that a run is a part of (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whoever began the trace wants it recorded. */
  readonly isSampled: boolean;
}

/** Null for what is none: a value that is not understood is no reason to lose a trace. */
export function parseTraceParent(text: string | undefined): TraceParent | null {
  const given = text?.trim() ?? '';
  const { traceId, spanId, flags } = (FIRST.exec(given) ?? LATER.exec(given))?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceParentText = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** An id of zeros only is none. */
const IDS = '-(?<traceId>(?!0{32})[\\da-f]{32})-(?<spanId>(?!0{16})[\\da-f]{16})-(?<flags>[\\da-f]{2})';

/** The first version ends with its flags; what later ones have behind them is theirs. */
const FIRST = new RegExp(`^00${IDS}$`);
const LATER = new RegExp(`^(?!00|ff)[\\da-f]{2}${IDS}(?:-.*)?$`);
