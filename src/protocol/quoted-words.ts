/** Text in a command that is shown to be typed: as a shell takes it for one word. */
export const quotedWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : inQuotes(text));

/** The same where several words may stand for it: blanks between them can stay. */
export const quotedWords = (text: string): string => (/^[\w@%+=:,./ -]+$/.test(text) ? text : inQuotes(text));

const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
