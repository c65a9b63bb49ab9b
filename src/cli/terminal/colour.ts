import { styleText } from 'node:util';

/** Colour is a hint, never the only carrier of meaning. NO_COLOR, FORCE_COLOR and TERM=dumb are honoured. */
export type Paint = (style: Style, text: string) => string;

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue';

export function paintFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Paint {
  return wantsColour(stream, environment)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

function wantsColour(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  if (isSet(environment['FORCE_COLOR'])) return environment['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && environment['TERM'] !== 'dumb' && !isSet(environment['CI']);
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
