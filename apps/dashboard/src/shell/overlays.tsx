import './all-styles.ts';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { dialogsArrived } from '../kit/dialog.ts';

/** Where dialogs and messages appear. Nobody needs them for the first picture, so they come after it. */
export default function Overlays() {
  // Effects of what is inside come first: by then the provider listens.
  useEffect(dialogsArrived, []);
  return (
    <>
      <ModalsProvider />
      <Notifications position="bottom-right" limit={4} />
    </>
  );
}
