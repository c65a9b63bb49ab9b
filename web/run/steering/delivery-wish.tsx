import { useState, type ReactNode } from 'react';
import type { DeliveryWishes } from '../../../src/protocol/operations/wishes.ts';
import { useTree } from '../../model/use-run.ts';
import { ChoiceGroup } from './act-dialog.tsx';
import { LabelledField } from '../../ui/controls.tsx';

type Wish = Pick<DeliveryWishes, 'to' | 'verify' | 'allowsPartial'>;

/** The delivery of a run that continues: as started, unless the user changes it. */
export function useDeliveryWish(): { readonly wish: { readonly deliver?: Wish }; readonly fields: ReactNode } {
  const [deliver, setDeliver] = useState<Wish>({});
  const hasFiles = useTree((tree) => tree.runs.get(tree.root)?.snapshot.files !== null);
  if (!hasFiles) return { wish: {}, fields: null };
  return {
    wish: Object.keys(deliver).length === 0 ? {} : { deliver },
    fields: <DeliveryFields wish={deliver} onChange={setDeliver} />,
  };
}

interface FieldsProps {
  readonly wish: Wish;
  readonly onChange: (wish: Wish) => void;
}

function DeliveryFields({ wish, onChange }: FieldsProps): ReactNode {
  const order = useTree((tree) => tree.runs.get(tree.root)?.snapshot.terms.delivery);
  return (
    <details>
      <summary className="cursor-pointer text-muted">Change what becomes of the result</summary>
      <div className="flex flex-col gap-3 pt-2">
        {order?.to.kind !== 'apply' && (
          <ChoiceGroup
            label="At its end"
            value={wish.to ?? 'asked'}
            onChange={(value) => onChange(value === 'apply' ? { ...wish, to: value } : without(wish, 'to'))}
            choices={[
              { value: 'asked', label: 'Deliver as the run was asked' },
              { value: 'apply', label: 'Write into my files' },
            ]}
          />
        )}
        <LabelledField
          label="Check before delivery"
          placeholder={order?.verify ?? 'npm test'}
          says="A command that the merged files must pass first."
          value={wish.verify ?? ''}
          onChange={(verify) => onChange(verify === '' ? without(wish, 'verify') : { ...wish, verify })}
        />
        {order?.allowsPartial !== true && (
          <label className="flex cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              className="accent-(--accent)"
              checked={wish.allowsPartial === true}
              onChange={({ target }) =>
                onChange(target.checked ? { ...wish, allowsPartial: true } : without(wish, 'allowsPartial'))
              }
            />
            Deliver a partial outcome as well
          </label>
        )}
      </div>
    </details>
  );
}

/** A wish that is left empty is not sent. */
const without = (wish: Wish, name: keyof Wish): Wish =>
  Object.fromEntries(Object.entries(wish).filter(([key]) => key !== name));
