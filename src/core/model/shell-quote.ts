/** A text as one word of a command for /bin/sh, whatever it holds. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
