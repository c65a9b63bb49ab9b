import type { Price } from '../../actors/model/model-config.ts';
import type { PriceFile } from './model-schema.ts';

/** Steps from what a file says to what the program uses that several settings share. */

type MayLack<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never }[keyof Fields];

export type Given<Fields> = Omit<Fields, MayLack<Fields>> & {
  readonly [Name in MayLack<Fields>]?: Exclude<Fields[Name], undefined>;
};

/** Fields that are left out stay left out. */
export const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;

export const toPrice = ({ cache_read: cacheRead, cache_write: cacheWrite, ...price }: PriceFile): Price =>
  given({ ...price, cacheRead, cacheWrite });
