/** The label whose value tells the containers of one life from all others. */
export const lifeLabel = 'seaworthy.life';
