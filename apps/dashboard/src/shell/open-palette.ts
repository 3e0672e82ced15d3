import { createSpotlight } from '@mantine/spotlight';

export const [paletteStore, palette] = createSpotlight();
export const openPalette = (): void => palette.open();
