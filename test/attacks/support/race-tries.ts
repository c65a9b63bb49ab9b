/**
 * How often a race is run. An opening shows long before: a check ahead of the use let one of fifteen tries out.
 * `npm run races` runs each 20,000 times.
 */
export const RACE_TRIES = Number(process.env['TROUPE_RACE_TRIES'] ?? 5000);
