/** Quotes any text as one word of a command for /bin/sh. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
