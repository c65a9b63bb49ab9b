/**
 * The ways in which a secret value is written down by programs and models. A form is exact text; `docs/guide/secrets.md` lists
 * which are covered and which are not.
 */
export function secretForms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [
    value,
    bytes.toString('latin1'),
    ...jsonForms(value),
    ...htmlForms(value),
    ...webForms(value, bytes),
    ...hexForms(bytes),
    ...base64Forms(bytes),
  ];
  return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_FORM);
}

/** Shorter text would match by chance. */
export const SHORTEST_FORM = 8;

/** Escaped once and twice, with and without the slash, and with every character escaped. */
function jsonForms(value: string): readonly string[] {
  const once = escapedJson(value);
  const everyUnit = (hex: (code: string) => string): string =>
    [...Array(value.length).keys()]
      .map((index) => `\\u${hex(value.charCodeAt(index).toString(16).padStart(4, '0'))}`)
      .join('');
  const ascii = once.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    once,
    escapedJson(once),
    once.replaceAll('/', '\\/'),
    ascii,
    everyUnit((code) => code),
    everyUnit((code) => code.toUpperCase()),
  ];
}

const escapedJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function htmlForms(value: string): readonly string[] {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  return [escaped, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;')];
}

function webForms(value: string, bytes: Buffer): readonly string[] {
  const wellFormed = value.toWellFormed();
  const field = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const everyByte = bytes.toString('hex').replaceAll(/../g, '%$&');
  const upper = [
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    field,
    field.replaceAll('+', '%20'),
    everyByte.toUpperCase(),
  ];
  return [...upper, ...upper.map(withLowerHex)];
}

const withLowerHex = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

function hexForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase()];
}

/** Alone, and at each of the three places where it can begin inside of a longer text. */
function base64Forms(bytes: Buffer): readonly string[] {
  const padded = bytes.toString('base64');
  const inside = [0, 1, 2].map((before) => insideBase64(bytes, before));
  const standard = [padded, padded.replaceAll('=', ''), ...inside];
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** The characters that depend on the value alone, with `before` unknown bytes in front of it and any behind. */
function insideBase64(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(first, end);
}
