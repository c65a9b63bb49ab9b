import type { Json } from '../../core/model/json.ts';
import type { KnownElsewhere, WhyView } from '../operations/answers/why.ts';

export type { CallView, WhyEvidence, KnownElsewhere, MadeView, WhyView } from '../operations/answers/why.ts';

export const isWhy = (one: WhyView | KnownElsewhere): one is WhyView => 'artifact' in one;

export const textIn = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
