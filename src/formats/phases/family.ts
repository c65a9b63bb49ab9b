import { closestName } from '../../source/closest-name.ts';
import { type Family, hasKey } from '../family.ts';
import { phaseChanges } from './change-words.ts';
import { phaseStep } from './parse/draw-phases.ts';
import { parsePhases } from './parse/parse-phases.ts';
import { writtenDefaults } from './parse/written-defaults.ts';

const KEYS = ['phases', 'orchestration', 'workflow', 'agent'];

export const PHASES: Family = {
  documents: { recognises: (document) => KEYS.some((key) => hasKey(document, key)), parse: parsePhases },
  roleWord: 'agent type',
  roleHint: (wrong, roles, similar) => {
    const types = Object.values(roles).flatMap(({ name, inMode }) => (inMode === undefined ? [] : [name]));
    if (types.length === 0) return similar;
    const closest = closestName(wrong, Object.keys(roles));
    const meant = closest === undefined ? [] : [`Did you mean "${closest}"?`];
    return [...meant, `Agent types: ${[...new Set(types)].toSorted().join(', ')}.`].join(' ');
  },
  fitsModes: true,
  drawnAs: phaseStep,
  drawnFrom: 'units',
  // A phase is called like the first of those who may do it.
  topicOf: ({ agents }) => agents[0]?.name,
  changeWords: phaseChanges,
  writtenDefaults,
};
