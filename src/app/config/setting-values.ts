import type { Price } from '../../actors/model/price.ts';
import type { PriceFile } from './model-schema.ts';

/** Steps from what a file says to what the program uses that several settings share. */

/** A field that is left out stays left out. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]: Value });
}

export const toPrice = (price: PriceFile): Price => ({
  input: price.input,
  output: price.output,
  ...given('cacheRead', price.cache_read),
  ...given('cacheWrite', price.cache_write),
});
