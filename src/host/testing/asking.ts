import type { Definition } from '../../core/model/definition.ts';
import { build, end, expression, to, work } from './build-definition.ts';

/** A workflow that asks one question; the answer is its output. */
export function asking(question: string, choices: readonly string[] = []): Definition {
  return build({
    states: [
      work('ask', { kind: 'ask', question: expression(JSON.stringify(question)), choices }, [
        to('stop', { assign: 'this.common_data.said = result' }),
      ]),
      end('stop', 'common_data.said'),
    ],
  });
}
