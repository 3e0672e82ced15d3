import './all-styles.ts';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';

/** Where dialogs and messages appear. Nobody needs them for the first picture, so they come after it. */
export default function Overlays() {
  return (
    <>
      <ModalsProvider />
      <Notifications position="bottom-right" limit={4} />
    </>
  );
}
