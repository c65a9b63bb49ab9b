/** How everything looks that stands under a line. */
export const NOTE_BOX = 'my-1 mr-3 ml-2 rounded-md border border-line bg-raised px-3 py-2 font-sans text-base';
