import type { Event } from '../../core/model/event.ts';
import type { Surface, QuestionAnswered } from '../../core/record/question-fact.ts';
import type { LimitName } from '../../core/record/limit-fact.ts';
import type { JsonObject } from '../../core/model/json.ts';

/** Messages that a run may get through the journal's inbox: from people, from its parent, and from its child runs. */
export type InboxBody =
  | Extract<
      Event,
      {
        readonly kind:
          | 'child.settled'
          | 'child.spent'
          | 'limit.share'
          | 'child.slot'
          | 'child.waits'
          | 'units.offered'
          | 'run.pause'
          | 'run.continue';
      }
    >
  | { readonly kind: 'slot'; readonly to: 'given' }
  | ({ readonly kind: 'answer'; readonly via: Surface } & Pick<
      QuestionAnswered,
      'question' | 'answer' | 'by' | 'answerId' | 'mark'
    >)
  | { readonly kind: 'tell'; readonly agent: string; readonly text: string; readonly by: string }
  | { readonly kind: 'cancel'; readonly by: string; readonly reason: string }
  | { readonly kind: 'pause'; readonly by: string; readonly reason: string }
  | { readonly kind: 'continue'; readonly by: string }
  | { readonly kind: 'terms'; readonly terms: JsonObject; readonly by: string }
  | { readonly kind: 'raise'; readonly limit: LimitName; readonly allowed: number; readonly by: string };
