# docker build --tag seaworthy .
# docker run --rm --network host --volume "$PWD:/work" seaworthy receiver http://localhost:3000/hooks
ARG NODE=node:24-slim

FROM ${NODE} AS pack
WORKDIR /src
COPY . .
RUN npm ci && mkdir /pack && npm pack --pack-destination /pack

FROM ${NODE}
COPY --from=pack /pack/ /pack/
RUN npm install --global /pack/*.tgz && rm -r /pack
USER node
WORKDIR /work
ENTRYPOINT ["seaworthy"]
