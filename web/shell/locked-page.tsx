import { KeyRound } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { session, tokenIn } from '../api/session.ts';
import { Button, TextField } from '../ui/controls.tsx';

/** Without the token nothing is shown; this says how to get one. */
export function LockedPage({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const enter = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const token = tokenIn(text);
    if (token === null) return setProblem('There is no token in it. It stands behind "#t=".');
    await session.open(token);
    if (session.state() === 'open') onOpen();
    else setProblem('The server does not know this token. It may be of another one, or of one that has been stopped.');
  };
  return (
    <main className="mx-auto flex min-h-full max-w-lg flex-col justify-center gap-3 px-5 py-10">
      <KeyRound size={22} aria-hidden className="text-muted" />
      <h1 className="text-xl font-semibold">This page needs its key</h1>
      <p className="text-muted">
        Troupe shows your runs only to whoever opened it from a terminal. Go to the terminal, run{' '}
        <code className="rounded-sm bg-sunken px-1 text-text">troupe serve</code> and open the address it prints.
      </p>
      <form onSubmit={(event) => void enter(event)} className="flex flex-col gap-2">
        <label htmlFor="address" className="font-medium">
          Or paste that address here
        </label>
        <div className="flex gap-2">
          <TextField
            id="address"
            autoComplete="off"
            spellCheck={false}
            placeholder="http://127.0.0.1:4173/#t=…"
            value={text}
            aria-invalid={problem !== ''}
            aria-describedby="address-problem"
            onChange={(event) => setText(event.target.value)}
          />
          <Button kind="primary" type="submit">
            Open
          </Button>
        </div>
        <p id="address-problem" role="alert" className="min-h-5 text-bad">
          {problem}
        </p>
      </form>
    </main>
  );
}
