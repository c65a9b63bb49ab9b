import type { Attributes } from './span.ts';

/** The external span that a run is a part of (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** The creator of the trace wants it recorded. */
  readonly isSampled: boolean;
}

/** Null for an invalid value, which is no reason to lose a trace. */
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

/** The first version ends with its flags; later versions may append more. */
const FIRST = new RegExp(`^00${IDS}$`);
const LATER = new RegExp(`^(?!00|ff)[\\da-f]{2}${IDS}(?:-.*)?$`);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user wants traces at all; checked before any code for them is loaded. */
export function wantsTelemetry(environment: Environment): boolean {
  const set = isSettingGiven(environment);
  const exporters = (set('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').map((name) => name.trim());
  if (isTrue(set('OTEL_SDK_DISABLED')) || !exporters.includes('otlp')) return false;
  return set('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== undefined || set('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined;
}

type Given = (name: string) => string | undefined;

/** An empty value counts as unset, as the specification says. */
const isSettingGiven =
  (environment: Environment): Given =>
  (name) => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };

const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true';

/** The settings of traces in the user's environment. Nothing else may choose their destination: they show what the user does. */
export interface TelemetrySettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  readonly resource: Attributes;
  readonly parent: TraceParent | null;
  /** Prompts, answers, arguments and results of tools are sent too. */
  readonly hasContent: boolean;
}

/** A sentence if the settings are invalid. */
export function telemetrySettings(environment: Environment): TelemetrySettings | string {
  const set = isSettingGiven(environment);
  const either = (name: string): string | undefined =>
    set(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? set(`OTEL_EXPORTER_OTLP_${name}`);
  const url = endpoint(set);
  if (url === null) return 'the address that OTEL_EXPORTER_OTLP_ENDPOINT names is no http or https address';
  if (either('PROTOCOL') === 'grpc') return 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent over HTTP only';
  const timeout = Number(either('TIMEOUT') ?? DEFAULT_TIMEOUT_MS);
  return {
    ...url,
    headers: { ...url.headers, ...pairs(either('HEADERS')) },
    timeoutMs: timeout > 0 && timeout <= LONGEST_TIMEOUT_MS ? timeout : DEFAULT_TIMEOUT_MS,
    isCompressed: either('COMPRESSION') === 'gzip',
    resource: resourceOf(set),
    parent: parseTraceParent(set('TRACEPARENT')),
    hasContent: isTrue(set('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')),
  };
}

const DEFAULT_TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 3_600_000;

/** The address for traces is used unchanged; the general one gets the path for traces appended. */
function endpoint(set: Given): Pick<TelemetrySettings, 'url' | 'headers'> | null {
  const own = set('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const url = URL.parse(own ?? set('OTEL_EXPORTER_OTLP_ENDPOINT') ?? '');
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  return { url: url.href, headers: username === '' ? {} : { authorization: basic(username, password) } };
}

/** User name and password from the address, since requests cannot be sent to an address with them. */
const basic = (name: string, word: string): string =>
  `Basic ${Buffer.from(`${decoded(name)}:${decoded(word)}`).toString('base64')}`;

function resourceOf(set: Given): Attributes {
  const attributes = pairs(set('OTEL_RESOURCE_ATTRIBUTES'));
  const name = set('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'troupe';
  return { ...attributes, 'service.name': name };
}

/** `key=value,key=value`, with percent-encoded values. */
function pairs(text: string | undefined): Readonly<Record<string, string>> {
  const entries = (text ?? '').split(',').flatMap((part): [string, string][] => {
    const at = part.indexOf('=');
    const key = part.slice(0, at).trim();
    return at < 1 || key === '' ? [] : [[decoded(key), decoded(part.slice(at + 1).trim())]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
