/** The messages of opentelemetry-proto (trace, common, resource; version 1) that a trace is sent with, field by field. */
type Field = Scalar | { readonly message: string } | { readonly list: Scalar | { readonly message: string } };

type Scalar =
  | 'string'
  | 'bool'
  | 'double'
  | 'int64'
  | 'fixed64'
  | 'uint32'
  | 'fixed32'
  | 'trace-id'
  | 'span-id'
  | 'bytes'
  | 'span-kind'
  | 'status-code';

const of = (message: string): Field => ({ message });
const list = (item: string): Field => ({ list: { message: item } });

const MESSAGES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  ExportTraceServiceRequest: { resourceSpans: list('ResourceSpans') },
  ResourceSpans: { resource: of('Resource'), scopeSpans: list('ScopeSpans'), schemaUrl: 'string' },
  Resource: { attributes: list('KeyValue'), droppedAttributesCount: 'uint32' },
  ScopeSpans: { scope: of('InstrumentationScope'), spans: list('Span'), schemaUrl: 'string' },
  InstrumentationScope: {
    name: 'string',
    version: 'string',
    attributes: list('KeyValue'),
    droppedAttributesCount: 'uint32',
  },
  Span: {
    traceId: 'trace-id',
    spanId: 'span-id',
    traceState: 'string',
    parentSpanId: 'span-id',
    flags: 'fixed32',
    name: 'string',
    kind: 'span-kind',
    startTimeUnixNano: 'fixed64',
    endTimeUnixNano: 'fixed64',
    attributes: list('KeyValue'),
    droppedAttributesCount: 'uint32',
    events: list('Event'),
    droppedEventsCount: 'uint32',
    links: list('Link'),
    droppedLinksCount: 'uint32',
    status: of('Status'),
  },
  Event: { timeUnixNano: 'fixed64', name: 'string', attributes: list('KeyValue'), droppedAttributesCount: 'uint32' },
  Link: {
    traceId: 'trace-id',
    spanId: 'span-id',
    traceState: 'string',
    attributes: list('KeyValue'),
    flags: 'fixed32',
  },
  Status: { message: 'string', code: 'status-code' },
  KeyValue: { key: 'string', value: of('AnyValue') },
  AnyValue: {
    stringValue: 'string',
    boolValue: 'bool',
    intValue: 'int64',
    doubleValue: 'double',
    arrayValue: of('ArrayValue'),
    kvlistValue: of('KeyValueList'),
    bytesValue: 'bytes',
  },
  ArrayValue: { values: list('AnyValue') },
  KeyValueList: { values: list('KeyValue') },
};

/** Everything wrong with a request, by where it is: wire types first, then what the comments of the schema demand. */
export function requestProblems(request: unknown): readonly string[] {
  const problems: string[] = [];
  checkMessage(request, 'ExportTraceServiceRequest', { at: '', problems });
  return problems;
}

interface Where {
  readonly at: string;
  readonly problems: string[];
}

function checkMessage(value: unknown, name: string, { at, problems }: Where): void {
  const fields = MESSAGES[name] ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${at}: no ${name}`);
    return;
  }
  for (const [key, given] of Object.entries(value)) {
    const field = fields[key];
    if (field === undefined) problems.push(`${at}.${key}: ${name} has no such field`);
    else checkField(given, field, { at: `${at}.${key}`, problems });
  }
  for (const problem of RULES[name]?.(value as Readonly<Record<string, unknown>>) ?? [])
    problems.push(`${at}: ${problem}`);
}

function checkField(value: unknown, field: Field, where: Where): void {
  if (typeof field === 'string') {
    if (!SCALARS[field](value)) where.problems.push(`${where.at}: ${JSON.stringify(value)} is no ${field}`);
  } else if ('message' in field) checkMessage(value, field.message, where);
  else if (!Array.isArray(value)) where.problems.push(`${where.at}: no list`);
  else
    for (const [index, item] of value.entries())
      checkField(item, field.list, { ...where, at: `${where.at}[${index}]` });
}

const matches =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value);

const whole =
  (from: number, to: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= from && Number(value) <= to;

const SCALARS: Readonly<Record<Scalar, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value.isWellFormed(),
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number',
  int64: matches(/^(?:0|-?[1-9]\d{0,18})$/),
  fixed64: matches(/^(?:0|[1-9]\d{0,19})$/),
  uint32: whole(0, 0xffff_ffff),
  fixed32: whole(0, 0xffff_ffff),
  'trace-id': matches(/^(?!0{32})[\da-f]{32}$/i),
  'span-id': matches(/^(?!0{16})[\da-f]{16}$/i),
  bytes: matches(/^[\w+/]*={0,2}$/),
  'span-kind': whole(0, 5),
  'status-code': whole(0, 2),
};

type Message = Readonly<Record<string, unknown>>;

const RULES: Readonly<Record<string, (message: Message) => readonly string[]>> = {
  Span: (span) => [
    ...['traceId', 'spanId', 'name', 'startTimeUnixNano', 'endTimeUnixNano']
      .filter((key) => span[key] === undefined || span[key] === '')
      .map((key) => `a span needs ${key}`),
    ...(BigInt(String(span['endTimeUnixNano'])) < BigInt(String(span['startTimeUnixNano']))
      ? ['ends before it starts']
      : []),
    ...(span['kind'] === 0 ? ['kind is unspecified'] : []),
    ...doubled(span['attributes']),
  ],
  Resource: (resource) => doubled(resource['attributes']),
  KeyValue: ({ key, value }) => (key === undefined || key === '' || value === undefined ? ['no key or no value'] : []),
  AnyValue: (value) => (Object.keys(value).length === 1 ? [] : ['not exactly one value']),
};

/** Keys must be unique. */
function doubled(attributes: unknown): readonly string[] {
  const keys = (Array.isArray(attributes) ? attributes : []).map((one) => String((one as Message)['key']));
  return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} twice`);
}
