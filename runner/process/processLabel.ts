/** The label whose value tells the containers of one target process from all others. */
export const processLabel = 'seaworthy.life';
