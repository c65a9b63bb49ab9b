/** Of each code what it means, and what to do: a sentence each. */
export type CodeTexts<Codes> = Readonly<Record<keyof Codes, readonly [meaning: string, advice: string]>>;
