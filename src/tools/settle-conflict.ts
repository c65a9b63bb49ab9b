import { defineTool, refusedTool } from './define-tool.ts';

export const SETTLE_CONFLICT = 'settle_conflict';

/** Offered to agents whose workspace is merged into another; without a conflict it refuses. */
export const settleConflictTool = defineTool<{ path: string; take: 'mine' | 'other' }>({
  name: SETTLE_CONFLICT,
  description:
    'Resolve a merge conflict that your order lists as one without markers: keep your version (mine) or that of the other side.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      take: { type: 'string', enum: ['mine', 'other'] },
    },
    required: ['path', 'take'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'write',
  onlyFiles: true,
  async run({ path, take }, { services }) {
    if (services?.conflicts === undefined) return refusedTool('There is nothing to settle here.');
    const { isSettled, open } = await services.conflicts.settle(path, take);
    const left = open.length === 0 ? 'None is left.' : `Left: ${open.join(', ')}.`;
    if (isSettled) return `Settled ${path}: ${take === 'mine' ? 'yours' : 'the other'} counts. ${left}`;
    return refusedTool(`There is no open conflict at ${path}. ${left}`);
  },
});
