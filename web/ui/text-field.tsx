import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

const LOOK =
  'w-full min-w-0 rounded-md border border-line bg-surface px-2 text-base text-text placeholder:text-muted aria-invalid:border-bad';

export function TextField({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }): ReactNode {
  return <input type="text" {...rest} className={classNames(LOOK, 'h-7', className)} />;
}

interface AreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** As high as one line until more is written. */
  readonly isLow?: boolean;
}

/** Grows with what is written in it. */
export function TextArea({ className, isLow = false, ...rest }: AreaProps): ReactNode {
  const height = isLow ? 'min-h-7 py-[3px]' : 'min-h-20 py-1.5';
  return <textarea {...rest} className={classNames(LOOK, 'field-sizing-content max-h-72', height, className)} />;
}
