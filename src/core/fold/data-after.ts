import type { JsonObject } from '../model/json.ts';
import type { Fact } from '../record/fact.ts';
import { patched } from '../record/patch.ts';

/** The run's data after a fact, for views that need nothing else of the fold. Unchanged parts keep their identity. */
export function dataAfter(data: JsonObject, fact: Fact): JsonObject {
  switch (fact.kind) {
    case 'run.started':
      return fact.data;
    case 'run.rewound':
      return fact.state?.data ?? data;
    case 'run.forked':
      return { ...data, ...fact.input };
    case 'run.redefined':
      return { ...fact.data, ...data };
    default:
      return 'patch' in fact && fact.patch != null ? patched(data, fact.patch) : data;
  }
}
