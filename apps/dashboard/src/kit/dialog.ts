import { randomId } from '@mantine/hooks';
import { modals } from '@mantine/modals';

const arrival = Promise.withResolvers<void>();

/** Call this when the dialog code has loaded, which is after the first paint. */
export const dialogsArrived = (): void => arrival.resolve();

/** Opens a dialog. If the dialog code has not loaded yet, the dialog opens once it has, so no click is lost. */
export function openDialog(dialog: Parameters<typeof modals.open>[0]): { close(): void } {
  const modalId = randomId();
  void arrival.promise.then(() => modals.open({ ...dialog, modalId }));
  return { close: () => modals.close(modalId) };
}
