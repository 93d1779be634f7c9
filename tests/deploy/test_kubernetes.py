"""The Kubernetes manifests are valid and consistent."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module

import pytest
from jsonschema_rs import Draft202012Validator

from service.app import app_of
from service.settings import Settings
from service.web.docs.components import objects
from tests.deploy.prometheus_rule import TARGET, prometheus_rule
from tests.deploy.samples import DEPLOY, ROOT, Yaml, dockerfile_environment, manifests
from tests.tools import program

VERSION = "1.30"
"""The oldest supported version of Kubernetes."""
CUSTOM = {
    "ScaledObject": "cloudcoil.models.keda.v1alpha1",
    "ServiceMonitor": "cloudcoil.models.prometheus_operator.v1",
    "PrometheusRule": "cloudcoil.models.prometheus_operator.v1",
}
"""Modules with the models of custom resources."""
BY_NAME = {(one["kind"], one["metadata"]["name"]): one for one in manifests()}
WORKLOADS = {name: one for (kind, name), one in BY_NAME.items() if kind in ("Deployment", "StatefulSet")}
OURS = [name for name in WORKLOADS if name != "valkey"]
NAMESPACE = "azul-games"


def pod(name: str) -> Yaml:
    """Return the template of a workload's pods."""
    template: Yaml = WORKLOADS[name]["spec"]["template"]
    return template


def container(name: str) -> Yaml:
    """Return the container of a workload's pods."""
    (only,) = pod(name)["spec"]["containers"]
    return dict(only)


def all_containers(name: str) -> list[Yaml]:
    """Return the container of a workload's pods and its sidecar."""
    return [container(name), *pod(name)["spec"].get("initContainers", ())]


def selected_workloads(labels: Yaml) -> list[str]:
    """Return the workloads whose pods have these labels."""
    return [name for name in WORKLOADS if labels.items() <= pod(name)["metadata"]["labels"].items()]


def ports(name: str) -> dict[str, int]:
    """Return the ports of a workload by name."""
    return {port["name"]: port["containerPort"] for one in all_containers(name) for port in one.get("ports", ())}


def keys_of(kind: str, name: str) -> set[str]:
    """Return the keys of a ConfigMap or Secret."""
    content = BY_NAME[kind, name]
    return set(content.get("data", {}) | content.get("stringData", {}))


def faults_of_custom(manifest: Yaml) -> list[str]:
    """Return the differences between a custom resource and its schema, which allows no other members."""
    kind = manifest["kind"]
    schema = getattr(import_module(CUSTOM[kind]), kind).model_json_schema()
    for part in objects(schema):
        if "properties" in part:
            part["additionalProperties"] = False
    return [f"{error.instance_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(manifest)]


@pytest.mark.parametrize(("kind", "name"), BY_NAME)
def test_manifest_matches_its_schema(kind: str, name: str) -> None:
    program("kubernetes-validate")
    if kind in CUSTOM:
        assert [] == faults_of_custom(BY_NAME[kind, name])
    else:
        import_module("kubernetes_validate").validate(BY_NAME[kind, name], VERSION, strict=True)


@pytest.mark.parametrize("kind", CUSTOM)
def test_custom_resource_with_a_misspelt_member_is_refused(kind: str) -> None:
    (manifest,) = (deepcopy(one) for (of_kind, _), one in BY_NAME.items() if of_kind == kind)
    manifest["spec"]["mispelt"] = True
    program("kubernetes-validate")
    assert len(faults_of_custom(manifest)) == 1


def test_the_rule_contains_the_alerts_of_prometheus() -> None:
    assert prometheus_rule() == TARGET.read_text("utf-8"), "run python -m tests.deploy.prometheus_rule"


def test_images_have_the_version_of_the_kustomization() -> None:
    images = {one["image"] for name in OURS for one in all_containers(name)}
    assert {"azul-games-api:0.1.0"} == images


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_selects_its_own_pods(name: str) -> None:
    assert [name] == selected_workloads(WORKLOADS[name]["spec"]["selector"]["matchLabels"])
    for spread in pod(name)["spec"].get("topologySpreadConstraints", ()):
        assert [name] == selected_workloads(spread["labelSelector"]["matchLabels"])


def test_targets_of_services_budgets_scalers_and_the_ingress_exist() -> None:
    for (kind, name), one in BY_NAME.items():
        if kind == "Service":
            targets = selected_workloads(one["spec"]["selector"])
            assert targets
            assert all(
                {port["targetPort"] for port in one["spec"]["ports"]} <= set(ports(target)) for target in targets
            )
        elif kind == "PodDisruptionBudget":
            assert [name] == selected_workloads(one["spec"]["selector"]["matchLabels"])
        elif kind in ("HorizontalPodAutoscaler", "ScaledObject"):
            target = one["spec"]["scaleTargetRef"]
            scaled = BY_NAME[target["kind"], target["name"]]
            assert "replicas" not in scaled["spec"]  # each apply would undo the scaling
    (path,) = BY_NAME["Ingress", "web"]["spec"]["rules"][0]["http"]["paths"]
    backend = path["backend"]["service"]
    assert backend["port"]["name"] in [port["name"] for port in BY_NAME["Service", backend["name"]]["spec"]["ports"]]


def environment_sources(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield kind, name and key of the ConfigMaps and Secrets in a workload's environment."""
    for source in (source for one in all_containers(name) for source in one.get("envFrom", ())):
        for reference, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
            if reference in source:
                yield kind, source[reference]["name"], None
    for variable in container(name).get("env", ()):
        if "valueFrom" in variable:
            reference = variable["valueFrom"]["secretKeyRef"]
            yield "Secret", reference["name"], reference["key"]


@pytest.mark.parametrize("name", WORKLOADS)
def test_sources_of_the_environment_exist(name: str) -> None:
    found = list(environment_sources(name))
    assert found
    assert [] == [one for one in found if one[:2] not in BY_NAME or one[2] not in {None, *keys_of(one[0], one[1])}]


def test_probes_use_existing_routes_and_the_port_of_web() -> None:
    routes = {rule.rule for rule in app_of(Settings.from_environment({}), None).url_map.iter_rules()}
    web = container("web")
    probes = [web[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert ["/readyz", "/healthz", "/healthz"] == [probe["path"] for probe in probes]
    assert {probe["path"] for probe in probes} <= routes
    assert {int(dockerfile_environment()["PORT"])} == {ports("web")[probe["port"]] for probe in probes}


def test_the_processes_are_those_of_the_procfile() -> None:
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text("utf-8").splitlines())
    assert set(lines) == set(OURS)
    assert {name: lines[name] for name in lines if name != "web"} == {
        name: " ".join(container(name)["command"]) for name in OURS if name != "web"
    }


@pytest.mark.parametrize("name", WORKLOADS)
def test_containers_cannot_become_root_and_have_limits(name: str) -> None:
    """The namespace enforces the Pod Security Standard `restricted`."""
    of_pod = pod(name)["spec"]["securityContext"]
    assert (True, "RuntimeDefault") == (of_pod["runAsNonRoot"], of_pod["seccompProfile"]["type"])
    for one in all_containers(name):
        of_container = one["securityContext"]
        assert of_container["readOnlyRootFilesystem"] is True
        assert of_container["allowPrivilegeEscalation"] is False
        assert ["ALL"] == of_container["capabilities"]["drop"]
        assert one["resources"]["limits"]["memory"]
        assert one["livenessProbe"]


@pytest.mark.parametrize("name", WORKLOADS)
def test_pods_get_no_variables_of_services(name: str) -> None:
    """A Service `mcp` would set MCP_PORT to a URL, which no process accepts."""
    assert pod(name)["spec"]["enableServiceLinks"] is False


@pytest.mark.parametrize("name", ["worker", "background", "keeper", "dialer"])
def test_processes_without_a_port_are_probed_by_the_file_that_they_touch(name: str) -> None:
    (path,) = (one["value"] for one in container(name)["env"] if one["name"] == "HEARTBEAT_FILE")
    for kind in ("startupProbe", "livenessProbe"):
        assert f"find {path} -newermt" in container(name)[kind]["exec"]["command"][-1]


@pytest.mark.parametrize("name", [name for name in OURS if name != "mcp"])
def test_prometheus_finds_a_port_of_every_process_and_may_connect(name: str) -> None:
    monitor, service = BY_NAME["ServiceMonitor", NAMESPACE]["spec"], BY_NAME["Service", "exporter"]
    assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert NAMESPACE == service["metadata"]["labels"][monitor["jobLabel"]]
    assert [monitor["endpoints"][0]["port"]] == [port["name"] for port in service["spec"]["ports"]]
    assert name in selected_workloads(service["spec"]["selector"])
    policy = BY_NAME["NetworkPolicy", "metrics"]["spec"]
    assert name in selected_workloads(policy["podSelector"]["matchLabels"])
    (rule,) = policy["ingress"]
    assert ports(name)["metrics"] == int(BY_NAME["ConfigMap", NAMESPACE]["data"]["METRICS_PORT"])
    assert ["metrics"] == [port["port"] for port in rule["ports"]]


def test_redis_has_a_limit_below_that_of_its_container() -> None:
    command, limit = container("valkey")["command"], container("valkey")["resources"]["limits"]["memory"]
    assert 0 < int(command[command.index("--maxmemory") + 1].removesuffix("mb")) < 0.75 * 1024 * int(limit[:-2])
    assert "noeviction" == command[command.index("--maxmemory-policy") + 1]


def test_workers_are_scaled_by_the_age_of_the_queue() -> None:
    scaler = BY_NAME["ScaledObject", "worker"]["spec"]
    assert 1 < scaler["minReplicaCount"] < scaler["maxReplicaCount"]
    (trigger,) = scaler["triggers"]
    assert "prometheus" == trigger["type"]
    assert "azul_queue_oldest_seconds" in trigger["metadata"]["query"]


def test_the_sample_of_the_secret_holds_no_password_and_is_not_applied() -> None:
    assert {""} == set(BY_NAME["Secret", NAMESPACE]["stringData"].values())
    assert "secret" not in (DEPLOY / "kubernetes" / "kustomization.yaml").read_text("utf-8").partition("resources:")[2]
