import { randomId } from '@mantine/hooks';
import { modals } from '@mantine/modals';

const arrival = Promise.withResolvers<void>();

/** What shows dialogs is loaded after the first picture, and says so here. */
export const dialogsArrived = (): void => arrival.resolve();

/** One that is asked for before dialogs can be shown is shown once they can: no click is lost. */
export function openDialog(dialog: Parameters<typeof modals.open>[0]): { close(): void } {
  const modalId = randomId();
  void arrival.promise.then(() => modals.open({ ...dialog, modalId }));
  return { close: () => modals.close(modalId) };
}
