import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useOpen } from './open-rows.ts';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** Long texts by their beginning, until they are unfolded. */
export function Clamp({ name, children }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, toggle] = useOpen(name);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && !isOpen) setLong(element.scrollHeight > element.clientHeight + 24);
  }, [children, isOpen]);
  return (
    <>
      <div
        ref={box}
        className={classNames(
          'min-w-0',
          !isOpen && 'max-h-52 overflow-hidden',
          !isOpen && isLong && '[mask-image:linear-gradient(to_bottom,black_80%,transparent)]',
        )}
      >
        {children}
      </div>
      {(isLong || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="self-start text-sm text-accent hover:underline"
          onClick={toggle}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  );
}
