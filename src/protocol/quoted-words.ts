import { quoteForShell } from '../core/model/shell-quote.ts';

/** Text in a command that is shown to be typed: as a shell takes it for one word. */
export const quotedWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text));

/** The same where several words may stand for it: blanks between them can stay. */
export const quotedWords = (text: string): string => (/^[\w@%+=:,./ -]+$/.test(text) ? text : quoteForShell(text));
