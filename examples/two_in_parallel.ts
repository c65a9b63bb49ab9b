import { defineWorkflow } from 'troupe';

/**
 * Two agents change the same line of menu.txt at the same time, each in a workspace of its own. They are merged one after the
 * other; the second merge is in conflict, so it goes back to its agent, who finds both sides in the file and settles them.
 * Nothing of yours is touched: `troupe diff last` shows the result, `troupe deliver last --apply` takes it over.
 */
export const twoInParallel = defineWorkflow({
  name: 'two_in_parallel',
  description: 'Two agents change one file at the same time; the conflict goes back to the second',
  inputs: { occasion: { type: 'string', description: 'What the menu is for' } },
  output: 'menu',
  data: { conflicts: [], menu: null },
  agents: { chef: { workspace: 'own' }, nutritionist: { workspace: 'own' } },
  limits: { iterations: 5 },
  states: {
    start: {
      work: {
        kind: 'pool',
        units: {
          taste: { work: { kind: 'turn', agent: 'chef', input: "'Improve menu.txt for ' + common_data.occasion" } },
          health: {
            work: { kind: 'turn', agent: 'nutritionist', input: "'Improve menu.txt for ' + common_data.occasion" },
          },
        },
      },
      transitions: ['merge_first'],
    },
    // With `verify: "'npm test'"` a merge is taken over only when that command succeeds on the merged files.
    merge_first: { work: { kind: 'merge', agent: 'chef' }, transitions: ['merge_second'] },
    merge_second: {
      work: { kind: 'merge', agent: 'nutritionist' },
      transitions: [{ target: 'done', assign: 'this.common_data.menu = agents.nutritionist.getLastResponse()' }],
      on: { blocked: [{ target: 'settle', assign: 'this.common_data.conflicts = result.conflicts || []' }] },
    },
    settle: {
      work: {
        kind: 'turn',
        agent: 'nutritionist',
        input: `'Somebody else changed the same lines of ' + common_data.conflicts.map((one) => one.path).join(', ') +
          '. Both sides are in your files, between markers. Make one of them that has the good of both.'`,
      },
      transitions: ['merge_second'],
    },
    done: { kind: 'end' },
  },
});
