/** Colour is a hint, never the only carrier of meaning. NO_COLOR, FORCE_COLOR and TERM=dumb are honoured. */
export type Paint = (style: Style, text: string) => string;

export type Style = keyof typeof CODES;

/** The codes that switch each style on and off. Node's own helper takes ten times as long to load as this file. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export function paintFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Paint {
  if (!wantsColour(stream, environment)) return (_style, text) => text;
  return (style, text) => {
    const [on, off] = CODES[style];
    return `\u001B[${on}m${text}\u001B[${off}m`;
  };
}

function wantsColour(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  if (isSet(environment['FORCE_COLOR'])) return environment['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && environment['TERM'] !== 'dumb' && !isSet(environment['CI']);
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
