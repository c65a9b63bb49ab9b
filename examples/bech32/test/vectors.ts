/** The test vectors of BIP 173. */
export const VALID: readonly string[] = [
  'A12UEL5L',
  'a12uel5l',
  'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
  'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
  `11${'q'.repeat(82)}c8247j`,
  'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
  '?1ezyfcl',
];

export const INVALID: Readonly<Record<string, string>> = {
  '\u00201nwldj5': 'a character of the prefix is out of range',
  '\u007f1axkwrx': 'a character of the prefix is out of range',
  '\u00801eym55h': 'a character of the prefix is out of range',
  an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx: 'it is too long',
  pzry9x0s0muk: 'it has no separator',
  '1pzry9x0s0muk': 'the prefix is empty',
  x1b4n0q5v: 'a character of the data is not allowed',
  li1dgmt3: 'the checksum is too short',
  'de1lg7wt\u00ff': 'a character of the checksum is not allowed',
  A1G7SGD8: 'the checksum is that of the prefix in capitals',
  '10a06t8': 'the prefix is empty',
  '1qzzfhee': 'the prefix is empty',
};
