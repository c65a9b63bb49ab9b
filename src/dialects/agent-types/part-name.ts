/** Types, presets and layers are files too. In small letters they cannot be taken for a mode, on any file system. */
export const isPartName = (name: string): boolean => /^[a-z][a-z0-9_-]{0,63}$/.test(name);
