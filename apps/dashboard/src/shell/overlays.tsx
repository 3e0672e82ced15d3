import './all-styles.ts';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { dialogsArrived } from '../kit/dialog.ts';

/** The container of dialogs and messages. The first paint does not need it, so it is loaded later. */
export default function Overlays() {
  // Effects of children run first, so the provider is already listening.
  useEffect(dialogsArrived, []);
  // The font for code is loaded before the first code is shown, so that the code does not change its font later.
  useEffect(() => void document.fonts.load('1em "Geist Mono"'), []);
  return (
    <>
      <ModalsProvider />
      <Notifications position="bottom-right" limit={4} />
    </>
  );
}
