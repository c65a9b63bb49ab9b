export interface SteeringDialogProps {
  /** Why it cannot be done; the dialog says so, since a link may have opened it. */
  readonly reason: string | null;
}
